//! Simulated memory: segments, and pointers that name one.
//!
//! A pointer holds the number of its segment in the high bits and the offset in the low 40. Every buffer, global,
//! `__local` variable, struct argument and alloca is a segment of its own, so that leaving one never lands in
//! another by accident. Segment 0 is empty: the null pointer and small integers lead nowhere. Segments from
//! `PRIVATE` on belong to the work-item that runs.
//!
//! Invariants: a pointer is only checked when it is used; an access is inside its segment, aligned as it claims,
//! and no write goes to a read-only segment, or it is a [`FaultKind`].

use super::fault::FaultKind;
use crate::ir::types::AddrSpace;

const OFFSET_BITS: u32 = 40;
const PRIVATE: usize = 1 << 23;

/// Limit in bytes on the private memory of one work-item.
const MAX_PRIVATE: usize = 1 << 28;

pub type Addr = u64;

/// Bytes that are shared by the work-items.
pub struct Segment {
    pub bytes: Vec<u8>,
    /// Of its first byte; an access that claims more is a fault.
    pub align: u32,
    pub writable: bool,
    /// What kind of memory a kernel takes it for.
    pub space: AddrSpace,
    /// For messages.
    pub name: String,
}

pub struct Memory {
    segments: Vec<Segment>,
}

/// The private memory of one work-item: allocas, the newest last.
#[derive(Default)]
pub struct Private {
    bytes: Vec<u8>,
    /// Start, size and alignment.
    allocas: Vec<(usize, usize, u32)>,
}

/// What an access is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    pub size: u64,
    pub align: u32,
    pub write: bool,
}

/// Where an access goes.
enum Place {
    Shared(usize, std::ops::Range<usize>),
    Private(std::ops::Range<usize>),
}

impl Memory {
    pub fn new() -> Self {
        let null = Segment {
            bytes: Vec::new(),
            align: 1,
            writable: false,
            space: AddrSpace::Global,
            name: "null".to_string(),
        };
        Self {
            segments: vec![null],
        }
    }

    /// Number of segments, which is the number of the next one.
    pub fn len(&self) -> usize {
        self.segments.len()
    }

    /// Adds a segment; the address of its first byte.
    pub fn add(&mut self, segment: Segment) -> Addr {
        self.segments.push(segment);
        Self::address(self.segments.len() - 1, 0)
    }

    /// Drops the newest segments.
    pub fn truncate(&mut self, len: usize) {
        self.segments.truncate(len);
    }

    pub fn address(segment: usize, offset: u64) -> Addr {
        ((segment as u64) << OFFSET_BITS).wrapping_add(offset)
    }

    pub fn segment(&self, number: usize) -> &Segment {
        &self.segments[number]
    }

    pub fn segment_mut(&mut self, number: usize) -> &mut Segment {
        &mut self.segments[number]
    }

    pub fn number(addr: Addr) -> usize {
        (addr >> OFFSET_BITS) as usize
    }

    /// The address space of what is there; global where nothing is.
    pub fn space(&self, addr: Addr) -> AddrSpace {
        match Self::number(addr) {
            PRIVATE.. => AddrSpace::Private,
            number => self
                .segments
                .get(number)
                .map_or(AddrSpace::Global, |s| s.space),
        }
    }

    /// The bytes for reading.
    pub fn read<'a>(
        &'a self,
        private: &'a Private,
        addr: Addr,
        size: u64,
        align: u32,
    ) -> Result<&'a [u8], FaultKind> {
        let access = Access {
            size,
            align,
            write: false,
        };
        Ok(match self.place(private, addr, access)? {
            Place::Shared(segment, range) => &self.segments[segment].bytes[range],
            Place::Private(range) => &private.bytes[range],
        })
    }

    /// The bytes for writing.
    pub fn write<'a>(
        &'a mut self,
        private: &'a mut Private,
        addr: Addr,
        size: u64,
        align: u32,
    ) -> Result<&'a mut [u8], FaultKind> {
        let access = Access {
            size,
            align,
            write: true,
        };
        Ok(match self.place(private, addr, access)? {
            Place::Shared(segment, range) => &mut self.segments[segment].bytes[range],
            Place::Private(range) => &mut private.bytes[range],
        })
    }

    /// The bytes from `addr` to the first NUL, if there is one.
    pub fn string(&self, private: &Private, addr: Addr) -> Option<Vec<u8>> {
        let offset = offset_of(addr) as usize;
        let bytes = match Self::number(addr).checked_sub(PRIVATE) {
            Some(n) => {
                let &(start, size, _) = private.allocas.get(n)?;
                &private.bytes[start..start + size]
            }
            None => &self.segments.get(Self::number(addr))?.bytes,
        };
        let rest = bytes.get(offset..)?;
        let end = rest.iter().position(|&b| b == 0)?;
        Some(rest[..end].to_vec())
    }

    fn place(&self, private: &Private, addr: Addr, access: Access) -> Result<Place, FaultKind> {
        let (number, offset) = (Self::number(addr), offset_of(addr));
        let (start, len, align, writable) = match number.checked_sub(PRIVATE) {
            Some(n) => match private.allocas.get(n) {
                Some(&(start, size, align)) => (start, size, align, true),
                None => return Err(self.out_of_bounds(private, addr, access)),
            },
            None => match self.segments.get(number) {
                Some(s) => (0, s.bytes.len(), s.align, s.writable),
                None => return Err(self.out_of_bounds(private, addr, access)),
            },
        };
        match offset.checked_add(access.size) {
            Some(end) if end <= len as u64 => {}
            _ => return Err(self.out_of_bounds(private, addr, access)),
        }
        if access.write && !writable {
            return Err(FaultKind::ReadOnly {
                place: self.describe(private, addr),
            });
        }
        if access.align > 1 && (access.align > align || offset % u64::from(access.align) != 0) {
            return Err(FaultKind::Misaligned {
                access,
                place: self.describe(private, addr),
            });
        }
        let first = start + offset as usize;
        let range = first..first + access.size as usize;
        Ok(if number < PRIVATE {
            Place::Shared(number, range)
        } else {
            Place::Private(range)
        })
    }

    #[cold]
    fn out_of_bounds(&self, private: &Private, addr: Addr, access: Access) -> FaultKind {
        FaultKind::OutOfBounds {
            access,
            place: self.describe(private, addr),
        }
    }

    fn describe(&self, private: &Private, addr: Addr) -> String {
        let (number, offset) = (Self::number(addr), offset_of(addr));
        // An offset that came from below the start of a segment.
        if offset >> (OFFSET_BITS - 1) != 0 {
            let below = (1u64 << OFFSET_BITS) - offset;
            let base = Self::address(number + 1, 0);
            return format!(
                "{below} bytes below the start of {}",
                self.name(private, base)
            );
        }
        format!("offset {offset} of {}", self.name(private, addr))
    }

    fn name(&self, private: &Private, addr: Addr) -> String {
        let number = Self::number(addr);
        match number.checked_sub(PRIVATE) {
            Some(n) => match private.allocas.get(n) {
                Some((_, size, _)) => format!("a private variable of {size} bytes"),
                None => "a private variable that is gone".to_string(),
            },
            None => match self.segments.get(number) {
                Some(_) if number == 0 => "the null pointer".to_string(),
                Some(s) => format!("{} of {} bytes", s.name, s.bytes.len()),
                None => format!("address {addr:#x}, which is nowhere"),
            },
        }
    }
}

fn offset_of(addr: Addr) -> u64 {
    addr & ((1 << OFFSET_BITS) - 1)
}

impl Private {
    /// Number of allocas now; give it to `truncate` later.
    pub fn mark(&self) -> usize {
        self.allocas.len()
    }

    /// Ends the life of every alloca made since `mark`.
    pub fn truncate(&mut self, mark: usize) {
        if let Some(&(start, ..)) = self.allocas.get(mark) {
            self.bytes.truncate(start);
            self.allocas.truncate(mark);
        }
    }

    /// New zeroed bytes.
    pub fn alloca(&mut self, size: u64, align: u32) -> Result<Addr, FaultKind> {
        let start = self.bytes.len();
        let room = MAX_PRIVATE - start;
        if size > room as u64 || self.allocas.len() >= PRIVATE {
            return Err(FaultKind::PrivateMemory);
        }
        self.bytes.resize(start + size as usize, 0);
        self.allocas.push((start, size as usize, align));
        Ok(Memory::address(PRIVATE + self.allocas.len() - 1, 0))
    }
}
