//! A line cut into its words.

/// The words of a line, one after the other; runs of blanks of any kind count as one.
#[derive(Debug, Clone)]
pub struct Tokens<'a>(&'a str);

impl<'a> Tokens<'a> {
    /// The words of `text`.
    pub fn new(text: &'a str) -> Tokens<'a> {
        Tokens(text)
    }

    /// What has not been read yet, without blanks at either end.
    pub fn rest(&self) -> &'a str {
        self.0.trim()
    }

    /// Reads the next word if it is `word` in any case, and says whether it was.
    pub fn accept(&mut self, word: &str) -> bool {
        let mut ahead = self.clone();
        let found = ahead.next().is_some_and(|next| next.eq_ignore_ascii_case(word));
        if found {
            *self = ahead;
        }
        found
    }

    /// Splits the rest at the first occurrence of `word`: what stands before it, and the words behind it.
    pub fn split_at_word(&self, word: &str) -> (&'a str, Option<Tokens<'a>>) {
        let text = self.0;
        let mut ahead = self.clone();
        loop {
            let start = text.len() - ahead.0.trim_start().len();
            match ahead.next() {
                Some(next) if next.eq_ignore_ascii_case(word) => return (text[..start].trim(), Some(ahead)),
                Some(_) => {}
                None => return (text.trim(), None),
            }
        }
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let text = self.0.trim_start();
        if text.is_empty() {
            self.0 = text;
            return None;
        }
        let end = text.find(char::is_whitespace).unwrap_or(text.len());
        let (word, rest) = text.split_at(end);
        self.0 = rest;
        Some(word)
    }
}

/// A short, printable copy of what a client sent, to be quoted in a message.
pub fn excerpt(text: &str) -> String {
    const LONGEST: usize = 40;
    let mut copy: String = text.chars().take(LONGEST).map(|c| if c.is_control() { '?' } else { c }).collect();
    if text.chars().nth(LONGEST).is_some() {
        copy.push('…');
    }
    copy
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_of_any_kind_and_number_divide_words() {
        let words: Vec<&str> = Tokens::new("  go \t depth  5 \r").collect();
        assert_eq!(words, ["go", "depth", "5"]);
        assert_eq!(Tokens::new(" \r ").next(), None);
    }

    #[test]
    fn the_rest_keeps_its_inner_blanks() {
        let mut words = Tokens::new("bookfiles  /my books/a.obk \r");
        assert_eq!(words.next(), Some("bookfiles"));
        assert_eq!(words.rest(), "/my books/a.obk");
    }

    #[test]
    fn a_line_is_split_at_a_word_and_not_inside_one() {
        let (before, after) = Tokens::new("fen removes x  MOVES h2e2 moves").split_at_word("moves");
        assert_eq!(before, "fen removes x");
        assert_eq!(after.unwrap().collect::<Vec<_>>(), ["h2e2", "moves"]);
        assert!(Tokens::new("a b").split_at_word("moves").1.is_none());
    }

    #[test]
    fn excerpts_are_short_and_printable() {
        assert_eq!(excerpt("a\u{7}b"), "a?b");
        assert_eq!(excerpt(&"帅".repeat(100)).chars().count(), 41);
    }
}
