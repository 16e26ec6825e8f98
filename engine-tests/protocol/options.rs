//! The table of options in docs/PROTOCOL.md says what the program announces.

use super::*;

/// An option as a greeting announces it: name, kind and range, default.
fn announced(word: &str, end: &str) -> Vec<(String, String, String)> {
    let mut client = Client::start();
    client.send(word);
    let lines = client.until(end);
    let options = lines.iter().filter_map(|line| line.strip_prefix("option "));
    options
        .map(|line| {
            let (name, rest) = line.trim_start_matches("name ").split_once(" type ").unwrap();
            let after = |word: &str| -> Option<&str> {
                let text = rest.split(&format!(" {word} ")).nth(1)?;
                let end =
                    [" min ", " max ", " var ", " default "].iter().filter_map(|word| text.find(word)).min();
                Some(&text[..end.unwrap_or(text.len())])
            };
            let values = match rest.split(' ').next().unwrap() {
                "check" => "on, off".to_owned(),
                "spin" => format!("{} to {}", after("min").unwrap(), after("max").unwrap()),
                "combo" => {
                    let values = rest.split(" var ").skip(1);
                    values
                        .map(|value| value.split(" default ").next().unwrap())
                        .collect::<Vec<_>>()
                        .join(", ")
                }
                "string" => "text".to_owned(),
                other => other.to_owned(),
            };
            let default = match after("default").unwrap_or("") {
                "true" => "on",
                "false" => "off",
                "<empty>" => "",
                other => other,
            };
            (name.to_owned(), values, default.to_owned())
        })
        .collect()
}

#[test]
fn the_manual_lists_what_is_announced() {
    let manual = include_str!("../../docs/PROTOCOL.md");
    let row =
        |line: &str| line.trim_matches('|').split('|').map(|cell| cell.trim().replace('`', "")).collect();
    let rows: Vec<Vec<String>> = manual
        .lines()
        .skip_while(|line| !line.starts_with("| UCCI | UCI |"))
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .map(row)
        .collect();
    assert!(rows.len() > 20);
    for (column, word, end) in [(0, "ucci", "ucciok"), (1, "uci", "uciok")] {
        let options = announced(word, end);
        for (name, values, default) in &options {
            let row = rows.iter().find(|row| row[column] == *name);
            let row = row.unwrap_or_else(|| panic!("docs/PROTOCOL.md does not list {name} of {word}"));
            // A choice whose name is a signal to some clients of UCCI is announced in UCI only.
            let listed: Vec<&str> = row[2].split(", ").collect();
            let safe = |value: &str| !(word == "ucci" && value.to_lowercase().contains("draw"));
            let shown = listed.into_iter().filter(|value| safe(value)).collect::<Vec<_>>().join(", ");
            assert_eq!(shown, *values, "{name}");
            assert_eq!(row[3], *default, "{name}");
        }
        let names = rows.iter().map(|row| &row[column]).filter(|name| !name.is_empty());
        for name in names {
            assert!(options.iter().any(|(other, ..)| other == name), "{word} has no option {name}");
        }
    }
}
