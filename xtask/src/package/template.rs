//! Renders the chart's templates with their default values. It supports values, `if` and a few functions; anything else is an
//! error.
//!
//! The plain manifests are generated with it, so they always equal the chart.

use crate::error::TaskError;
use yaml_rust2::{Yaml, YamlLoader};

/// What templates refer to.
#[derive(Debug)]
pub(super) struct Values {
    /// `.Values`.
    pub(super) values: Yaml,
    /// `.Release.Name`.
    pub(super) release: String,
    /// `.Chart.AppVersion`.
    pub(super) version: String,
}

impl Values {
    /// Reads the default values.
    pub(super) fn read(values: &str, release: &str, version: &str) -> Result<Self, TaskError> {
        let values = YamlLoader::load_from_str(values)?.into_iter().next().ok_or("the values are empty")?;
        Ok(Self { values, release: release.to_owned(), version: version.to_owned() })
    }

    /// Renders a template.
    pub(super) fn render(&self, template: &str) -> Result<String, TaskError> {
        let mut text = String::new();
        // Whether the lines of each condition around this one are shown.
        let mut shown: Vec<bool> = Vec::new();
        for line in template.lines() {
            let action = line.trim().strip_prefix("{{-").and_then(|it| it.strip_suffix("}}")).map(str::trim);
            if let Some(action) = action {
                if action == "end" {
                    shown.pop().ok_or("an end without an if")?;
                } else {
                    let condition = action.strip_prefix("if ").ok_or_else(|| format!("{action} is not rendered"))?;
                    shown.push(!matches!(self.expression(condition)?.as_str(), "" | "false" | "0"));
                }
            } else if shown.iter().all(|it| *it) {
                text.push_str(&self.line(line)?);
                text.push('\n');
            }
        }
        if shown.is_empty() { Ok(text) } else { Err("an if without an end".into()) }
    }

    fn line(&self, line: &str) -> Result<String, TaskError> {
        let Some((before, rest)) = line.split_once("{{") else { return Ok(line.to_owned()) };
        let (action, after) = rest.split_once("}}").ok_or_else(|| format!("{line} has no end"))?;
        Ok(format!("{before}{}{}", self.expression(action.trim())?, self.line(after)?))
    }

    /// A value, and what functions make of it.
    fn expression(&self, expression: &str) -> Result<String, TaskError> {
        let mut steps = expression.split('|').map(str::trim);
        let mut value = self.value(steps.next().unwrap_or_default())?;
        for step in steps {
            value = match step.split_once(' ') {
                None if step == "quote" => serde_json::to_string(&value)?,
                Some(("indent", count)) => indented(&value, count.parse()?),
                Some(("default", other)) => {
                    if value.is_empty() {
                        self.value(other)?
                    } else {
                        value
                    }
                }
                _ => return Err(format!("{step} is not rendered").into()),
            };
        }
        Ok(value)
    }

    fn value(&self, name: &str) -> Result<String, TaskError> {
        let found = match name {
            ".Release.Name" => Some(self.release.clone()),
            ".Chart.AppVersion" => Some(self.version.clone()),
            _ => name
                .strip_prefix(".Values.")
                .and_then(|path| scalar(path.split('.').fold(&self.values, |it, key| &it[key]))),
        };
        found.ok_or_else(|| format!("{name} is not among the values").into())
    }
}

fn scalar(value: &Yaml) -> Option<String> {
    match value {
        Yaml::String(text) | Yaml::Real(text) => Some(text.clone()),
        Yaml::Integer(number) => Some(number.to_string()),
        Yaml::Boolean(is) => Some(is.to_string()),
        _ => None,
    }
}

/// A text with spaces before each line.
fn indented(text: &str, count: usize) -> String {
    let spaces = " ".repeat(count);
    text.split('\n').map(|line| format!("{spaces}{line}")).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn render(template: &str) -> Result<String, String> {
        let values = "image:\n  name: lombard\n  tag: \"\"\nreplicas: 2\nrun: false\ntext: |-\n  a\n  b\n";
        Values::read(values, "bank", "0.2.0").unwrap().render(template).map_err(|error| error.to_string())
    }

    #[test]
    fn values_conditions_and_functions_are_rendered() {
        let image = "image: \"{{ .Values.image.name }}:{{ .Values.image.tag | default .Chart.AppVersion }}\"";
        assert_eq!(render(image).unwrap(), "image: \"lombard:0.2.0\"\n");
        assert_eq!(render("{{ .Values.text | indent 2 }}").unwrap(), "  a\n  b\n");
        assert_eq!(render("a\n{{- if .Values.run }}\nb\n{{- end }}\nc").unwrap(), "a\nc\n");
        assert_eq!(
            render("{{- if .Values.replicas }}\n{{ .Release.Name | quote }}\n{{- end }}").unwrap(),
            "\"bank\"\n"
        );
    }

    #[test]
    fn what_cannot_be_rendered_is_an_error() {
        for template in
            ["{{ .Values.none }}", "{{ .Values.text | upper }}", "{{- range .Values.text }}", "{{- if .Values.run }}"]
        {
            assert!(render(template).is_err(), "{template}");
        }
    }
}
