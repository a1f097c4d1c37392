use super::*;
use clap::CommandFactory;

#[test]
fn the_commands_are_those_of_the_contract() {
    Arguments::command().debug_assert();
    for line in [
        "lombard",
        "lombard --config a.toml --data d",
        "lombard serve --config a.toml --data d",
        "lombard tour --data d",
        "lombard tour --browser --code abc",
        "lombard tpp create mine --roles aisp,pisp --auth tls_client_auth --headless amelia --redirect-uri https://a.example/b",
        "lombard config check --config a.toml",
        "lombard config show",
        "lombard migrate",
        "lombard seed export bank.json --data d",
        "lombard seed import bank.json --rebase --config a.toml",
        "lombard keys rotate",
        "lombard events verify a.b.c --data d",
        "lombard events verify - --keys keys.json --audience client",
        "lombard reference configuration",
    ] {
        assert!(Arguments::try_parse_from(line.split(' ')).is_ok(), "{line}");
    }
    for line in ["lombard tour --code abc", "lombard tpp create", "lombard tpp create a --auth basic", "lombard sevre"]
    {
        assert!(Arguments::try_parse_from(line.split(' ')).is_err(), "{line}");
    }
}
