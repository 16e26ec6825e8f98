//! The options that an engine declares.

/// One declared option.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DeclaredOption {
    /// Its name, as the engine spells it.
    pub name: String,
    /// label, button, check, combo, spin or string.
    pub kind: String,
    /// Default value, if any.
    pub default: Option<String>,
    /// Least value of a spin.
    pub min: Option<i64>,
    /// Greatest value of a spin.
    pub max: Option<i64>,
    /// Values of a combo.
    pub values: Vec<String>,
}

impl DeclaredOption {
    /// Reads a line of either dialect: `option NAME type …` or `option name NAME type …`.
    pub fn read(line: &str) -> Option<DeclaredOption> {
        let mut words = line.split_whitespace().peekable();
        if words.next() != Some("option") {
            return None;
        }
        // An UCCI option may itself be called `name`; in UCI more than one word stands before `type`.
        let all: Vec<&str> = words.collect();
        let end = all.iter().position(|&w| w == "type")?;
        let name = match &all[..end] {
            ["name", rest @ ..] if !rest.is_empty() => rest.join(" "),
            [] => return None,
            words => words.join(" "),
        };
        let mut option = DeclaredOption { name, ..DeclaredOption::default() };
        let mut rest = all[end + 1..].iter();
        option.kind = (*rest.next()?).to_owned();
        let mut field = "";
        for &word in rest {
            match (word, field) {
                ("default" | "min" | "max" | "var", _) => {
                    field = word;
                    if field == "default" {
                        option.default = Some(String::new());
                    }
                }
                (value, "default") => append(option.default.get_or_insert_default(), value),
                (value, "min") => option.min = value.parse().ok(),
                (value, "max") => option.max = value.parse().ok(),
                (value, "var") => option.values.push(value.to_owned()),
                _ => {}
            }
        }
        Some(option)
    }

    /// Whether a user's spelling means this option: case, blanks and underscores do not matter.
    pub fn is_called(&self, name: &str) -> bool {
        let plain = |s: &str| s.replace('_', " ").to_lowercase();
        plain(&self.name) == plain(name)
    }
}

fn append(text: &mut String, word: &str) {
    if !text.is_empty() {
        text.push(' ');
    }
    text.push_str(word);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_dialects() {
        let ucci = DeclaredOption::read("option hashsize type spin min 0 max 1024 default 16").unwrap();
        assert_eq!((ucci.name.as_str(), ucci.kind.as_str()), ("hashsize", "spin"));
        assert_eq!((ucci.min, ucci.max, ucci.default.as_deref()), (Some(0), Some(1024), Some("16")));
        let uci = DeclaredOption::read("option name Clear Hash type button").unwrap();
        assert_eq!((uci.name.as_str(), uci.kind.as_str(), uci.default), ("Clear Hash", "button", None));
        let combo =
            DeclaredOption::read("option name UCI_Variant type combo default chess var chess var xiangqi")
                .unwrap();
        assert_eq!(combo.values, ["chess", "xiangqi"]);
        let empty = DeclaredOption::read("option bookfiles type string default").unwrap();
        assert_eq!(empty.default.as_deref(), Some(""));
        let path = DeclaredOption::read("option name Book type string default a b c").unwrap();
        assert_eq!(path.default.as_deref(), Some("a b c"));
    }

    #[test]
    fn rubbish_is_no_option() {
        for line in ["", "option", "option type", "option x", "option x type", "info option x type spin"] {
            assert_eq!(DeclaredOption::read(line), None, "{line}");
        }
    }

    #[test]
    fn spelling_does_not_matter() {
        let option = DeclaredOption::read("option Clear_Hash type button").unwrap();
        assert!(
            option.is_called("clear hash") && option.is_called("Clear_Hash") && !option.is_called("Hash")
        );
    }
}
