//! Text in the two languages of the rule books.

/// A text in English and in Chinese.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bilingual<T = String> {
    /// The English text, which names squares by coordinates.
    pub english: T,
    /// The Chinese text, which names pieces by their files as move notation does.
    pub chinese: T,
}

impl Bilingual<&'static str> {
    /// A pair of fixed texts.
    pub(super) const fn fixed(english: &'static str, chinese: &'static str) -> Bilingual<&'static str> {
        Bilingual { english, chinese }
    }
}

impl Bilingual {
    /// A pair of texts put together at run time.
    pub(super) fn new(english: impl Into<String>, chinese: impl Into<String>) -> Bilingual {
        Bilingual { english: english.into(), chinese: chinese.into() }
    }
}
