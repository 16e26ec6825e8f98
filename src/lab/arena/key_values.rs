//! Reading `key=value` words of the command line like the tables of a configuration file.

use serde::de::DeserializeOwned;

use super::validation::ConfigError;

/// Reads `key=value` words as the table of the same name in a configuration file would be read.
pub fn from_words<T: DeserializeOwned>(option: &'static str, words: &[String]) -> Result<T, ConfigError> {
    let error = |message: String| ConfigError::Words { option, message };
    let mut table = toml::Table::new();
    for word in words {
        let (key, value) =
            word.split_once('=').ok_or_else(|| error(format!("`{word}` is not of the form key=value")))?;
        // A number or a truth value is read as in TOML, anything else is text.
        let value = match toml::from_str::<toml::Table>(&format!("v = {value}")) {
            Ok(mut parsed) => parsed.remove("v").unwrap_or_else(|| value.into()),
            Err(_) => value.into(),
        };
        table.insert(key.to_owned(), value);
    }
    table.try_into().map_err(|e: toml::de::Error| error(e.message().replace('\n', " ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::adjudication::ResignByScore;
    use crate::arena::config::SprtConfig;
    use crate::arena::stats::EloModel;

    #[test]
    fn words_become_tables() {
        let words = |w: &[&str]| w.iter().map(|&w| w.to_owned()).collect::<Vec<_>>();
        let sprt: SprtConfig =
            from_words("--sprt", &words(&["elo0=-3", "elo1=0.5", "model=logistic"])).unwrap();
        assert_eq!((sprt.elo0, sprt.elo1, sprt.model), (-3.0, 0.5, EloModel::Logistic));
        let error = from_words::<SprtConfig>("--sprt", &words(&["elo2=1"])).unwrap_err().to_string();
        assert!(error.starts_with("--sprt: unknown field `elo2`"), "{error}");
        let error = from_words::<ResignByScore>("--resign", &words(&["moves"])).unwrap_err().to_string();
        assert_eq!(error, "--resign: `moves` is not of the form key=value");
        assert!(from_words::<ResignByScore>("--resign", &words(&["moves=x", "score=1"])).is_err());
    }
}
