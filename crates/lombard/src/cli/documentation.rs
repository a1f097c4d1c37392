//! What is generated from the command line's own definition: manual pages, and completions for shells.

use clap::Command;
use clap_complete::Shell;
use std::io;
use std::path::Path;

/// The completions of a command for a shell, as the script that the shell reads.
pub(super) fn completions(mut command: Command, shell: Shell) -> String {
    let name = command.get_name().to_owned();
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, name, &mut script);
    String::from_utf8_lossy(&script).into_owned()
}

/// Writes the manual pages of a command and of those below it, section 1, to a folder that exists.
pub(super) fn write_man_pages(command: Command, folder: &Path) -> io::Result<()> {
    clap_mangen::generate_to(command, folder)
}

#[cfg(test)]
mod tests {
    use super::super::Arguments;
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn completions_name_the_commands_for_each_shell() {
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
            let script = completions(Arguments::command(), shell);
            assert!(script.contains("lombard") && script.contains("quarantine"), "{shell}: {script}");
        }
    }

    #[test]
    fn each_command_that_is_shown_has_a_manual_page() {
        let folder = tempfile::tempdir().unwrap();
        write_man_pages(Arguments::command(), folder.path()).unwrap();
        let page = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap_or_default();
        assert!(page("lombard.1").contains("lombard\\-serve(1)"), "{}", page("lombard.1"));
        assert!(page("lombard-keys-csr.1").contains(".TH"));
        assert!(page("lombard-reference.1").is_empty() && page("lombard-help.1").is_empty());
    }
}
