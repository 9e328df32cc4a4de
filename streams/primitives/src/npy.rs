//! NumPy's array files (`.npy`).

use std::{
    fs::File,
    io::{BufReader, ErrorKind, Seek, Write},
    path::Path,
};

use npyz::{DType, NpyHeader, TypeStr, WriteOptions, WriterBuilder};

use crate::{ElementType, Sink, Source, StreamError};

/// A `.npy` file of one dimension.
#[derive(Debug)]
pub struct Npy {
    file: File,
    element: ElementType,
    length: u64,
    /// Where the elements begin, in bytes.
    start: u64,
}

impl Npy {
    /// Opens an existing file for reading.
    ///
    /// # Errors
    /// The file is not a `.npy` of one dimension with numbers in this machine's byte order.
    pub fn open(path: &Path) -> Result<Self, StreamError> {
        let name = path.display();
        let failed = |why| StreamError::File {
            what: format!("reading {name}"),
            why,
        };
        let file = File::open(path).map_err(failed)?;
        let mut reader = BufReader::new(&file);
        let header = NpyHeader::from_reader(&mut reader).map_err(|why| match why.kind() {
            // Too short, or something else.
            ErrorKind::UnexpectedEof | ErrorKind::InvalidData => {
                StreamError::Format(format!("{name} is no .npy file: {why}"))
            }
            _ => failed(why),
        })?;
        let start = reader.stream_position().map_err(failed)?;
        let descr = header.dtype().descr();
        let element = ELEMENT_TYPES
            .into_iter()
            .find(|it| descr.trim_matches('\'') == numpy(*it));
        let element = element.ok_or_else(|| {
            let expected = ELEMENT_TYPES.map(numpy).join(", ");
            StreamError::Format(format!(
                "{name} has elements of type {descr}; expected {expected}"
            ))
        })?;
        let [length] = *header.shape() else {
            let dimensions = header.shape().len();
            let why = format!("{name} has {dimensions} dimensions; expected 1");
            return Err(StreamError::Format(why));
        };
        let needed = length.checked_mul(element.bytes() as u64);
        let has = file.metadata().map_err(failed)?.len().saturating_sub(start);
        if needed.is_none_or(|needed| needed > has) {
            return Err(StreamError::Format(format!(
                "{name} has {has} bytes after its header; expected {length} elements of {} bytes",
                element.bytes()
            )));
        }
        Ok(Self {
            file,
            element,
            length,
            start,
        })
    }

    /// Creates a file whose elements are 0.
    ///
    /// # Errors
    /// The system refuses, or a file of that name exists.
    pub fn create(path: &Path, element: ElementType, length: u64) -> Result<Self, StreamError> {
        let failed = |why| StreamError::File {
            what: format!("creating {}", path.display()),
            why,
        };
        let dtype: TypeStr = numpy(element).parse().expect("numpy's own name");
        let mut header = Vec::new();
        let options = WriteOptions::new_header_only().dtype(DType::Plain(dtype));
        let writer = options.shape(&[length]).writer(&mut header);
        writer.write_header_only().map_err(failed)?;
        let mut open = File::options();
        let mut file = open
            .read(true)
            .write(true)
            .create_new(true)
            .open(path)
            .map_err(failed)?;
        file.write_all(&header).map_err(failed)?;
        let start = header.len() as u64;
        file.set_len(start + length * element.bytes() as u64)
            .map_err(failed)?;
        Ok(Self {
            file,
            element,
            length,
            start,
        })
    }

    /// The type of the elements.
    pub fn element(&self) -> ElementType {
        self.element
    }

    /// The number of elements.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// All elements, as a source.
    pub fn source(&self) -> Source<'_> {
        Source::file(&self.file, self.start, self.element, self.length)
    }

    /// The first `elements`, as a source; all where the file has fewer.
    pub fn first(&self, elements: u64) -> Source<'_> {
        let length = elements.min(self.length);
        Source::file(&self.file, self.start, self.element, length)
    }

    /// All elements, as a sink.
    pub fn sink(&self) -> Sink<'_> {
        Sink::file(&self.file, self.start, self.element, self.length)
    }
}

const ELEMENT_TYPES: [ElementType; 10] = [
    ElementType::I8,
    ElementType::U8,
    ElementType::I16,
    ElementType::U16,
    ElementType::I32,
    ElementType::U32,
    ElementType::I64,
    ElementType::U64,
    ElementType::F32,
    ElementType::F64,
];

/// NumPy's name of a type, in this machine's byte order.
fn numpy(element: ElementType) -> String {
    #[cfg(not(target_endian = "little"))]
    compile_error!("numpy's names here are those of little endian");
    let (kind, bytes) = (&element.name()[..1], element.bytes());
    let order = if bytes == 1 { '|' } else { '<' };
    format!("{order}{kind}{bytes}")
}
