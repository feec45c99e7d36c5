//! The build id of the shared object (or program) that this code is part of: the linker's hash of its content.
//! Source: ELF notes of type NT_GNU_BUILD_ID.

use libc::{c_int, c_void, dl_phdr_info, size_t};
use once_cell::sync::Lazy;

const NT_GNU_BUILD_ID: u32 = 3;

/// None when the linker left no id (`build.rs` asks for one).
pub fn build_id() -> Option<&'static [u8]> {
    static ID: Lazy<Option<Vec<u8>>> = Lazy::new(find);
    ID.as_deref()
}

fn find() -> Option<Vec<u8>> {
    let mut id: Option<Vec<u8>> = None;
    let out: *mut Option<Vec<u8>> = &mut id;
    // SAFETY: `visit` is called during this call only, with `out` alive.
    unsafe { libc::dl_iterate_phdr(Some(visit), out.cast()) };
    id
}

unsafe extern "C" fn visit(info: *mut dl_phdr_info, _: size_t, out: *mut c_void) -> c_int {
    let own = visit as *const () as usize as u64;
    // SAFETY: the loader passes a live description of an object and of its program headers; segments that it names are
    // mapped for as long as the object is loaded, and only our own object's are read. `out` is `find`'s variable.
    unsafe {
        let info = &*info;
        let base = info.dlpi_addr;
        let headers = std::slice::from_raw_parts(info.dlpi_phdr, info.dlpi_phnum.into());
        let has_us = |h: &&libc::Elf64_Phdr| {
            h.p_type == libc::PT_LOAD
                && (base + h.p_vaddr..base + h.p_vaddr + h.p_memsz).contains(&own)
        };
        if !headers.iter().any(|h| has_us(&h)) {
            return 0;
        }
        for header in headers.iter().filter(|h| h.p_type == libc::PT_NOTE) {
            let start = (base + header.p_vaddr) as *const u8;
            let notes = std::slice::from_raw_parts(start, header.p_memsz as usize);
            if let Some(id) = build_id_note(notes, header.p_align as usize) {
                *out.cast::<Option<Vec<u8>>>() = Some(id.to_vec());
            }
        }
    }
    1
}

/// The id among notes: each has the sizes of its name and content, its type, and both padded.
fn build_id_note(mut notes: &[u8], align: usize) -> Option<&[u8]> {
    let padded = |size: usize| size.checked_next_multiple_of(align.max(4));
    loop {
        let word = |n: usize| {
            let bytes = notes.get(4 * n..4 * n + 4)?;
            Some(u32::from_ne_bytes(bytes.try_into().ok()?))
        };
        let (name_size, size, kind) = (word(0)? as usize, word(1)? as usize, word(2)?);
        let name = notes.get(12..)?.get(..name_size)?;
        let content = notes.get(padded(12 + name_size)?..)?;
        if kind == NT_GNU_BUILD_ID && name == b"GNU\0" {
            return content.get(..size);
        }
        notes = content.get(padded(size)?..)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_program_has_an_id() {
        assert!(build_id().is_some_and(|id| id.len() >= 8));
    }

    #[test]
    fn broken_notes_have_none() {
        assert_eq!(build_id_note(&[], 4), None);
        assert_eq!(build_id_note(&[0xff; 40], 4), None);
        assert_eq!(build_id_note(&[0; 11], 0), None);
    }
}
