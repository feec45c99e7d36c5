//! Numbers, texts and bytes one after the other: what program binaries and cache entries are written in. All numbers are
//! little-endian; texts and bytes have their length before them.
//!
//! Invariant: a [`Reader`] takes any bytes; what is not there or makes no sense is `None`, never a panic.

/// What tells that bytes are as they were written: the first 16 bytes of their BLAKE3 hash.
pub const CHECKSUM: usize = 16;

pub fn checksum(bytes: &[u8]) -> [u8; CHECKSUM] {
    let mut sum = [0; CHECKSUM];
    sum.copy_from_slice(&blake3::hash(bytes).as_bytes()[..CHECKSUM]);
    sum
}

#[derive(Default)]
pub struct Writer(pub Vec<u8>);

impl Writer {
    pub fn word(&mut self, word: u32) {
        self.0.extend(word.to_le_bytes());
    }

    pub fn size(&mut self, size: usize) {
        self.0.extend((size as u64).to_le_bytes());
    }

    pub fn flag(&mut self, flag: bool) {
        self.0.push(flag.into());
    }

    pub fn bytes(&mut self, bytes: &[u8]) {
        self.size(bytes.len());
        self.0.extend(bytes);
    }

    pub fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }
}

/// The bytes that have not been read yet.
pub struct Reader<'a>(pub &'a [u8]);

impl<'a> Reader<'a> {
    pub fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (head, tail) = self.0.split_at_checked(count)?;
        self.0 = tail;
        Some(head)
    }

    pub fn word(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.take(4)?.try_into().ok()?))
    }

    pub fn size(&mut self) -> Option<usize> {
        usize::try_from(u64::from_le_bytes(self.take(8)?.try_into().ok()?)).ok()
    }

    pub fn flag(&mut self) -> Option<bool> {
        match self.take(1)? {
            [0] => Some(false),
            [1] => Some(true),
            _ => None,
        }
    }

    pub fn bytes(&mut self) -> Option<&'a [u8]> {
        let size = self.size()?;
        self.take(size)
    }

    pub fn text(&mut self) -> Option<String> {
        String::from_utf8(self.bytes()?.to_vec()).ok()
    }

    /// Nothing is left.
    pub fn at_end(&self) -> bool {
        self.0.is_empty()
    }
}
