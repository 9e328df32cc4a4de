//! Tables as Apache Parquet: what is written so far leaves piece by piece, a row group at a time.

use std::sync::Arc;

use parquet::{
    basic::{Compression, LogicalType, Repetition, TimeUnit, Type as Physical},
    data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int64Type},
    errors::Result,
    file::{
        properties::{EnabledStatistics, WriterProperties},
        writer::{SerializedColumnWriter, SerializedFileWriter},
    },
    schema::types::{Type, TypePtr},
};

use super::table::{Cell, Column, Kind};

/// Rows of a row group: what is kept until it is written.
pub(super) const GROUP: usize = 8192;

/// Memory for a table of samples, bytes: a group of rows with hundreds of counters each before and after it is
/// encoded, and the footer, which says where each column of each group begins: some 20 MB for a million rows.
pub(crate) const ROOM: usize = 96 << 20;

/// A table that is being written.
pub(super) struct Table {
    writer: SerializedFileWriter<Vec<u8>>,
    columns: Vec<Values>,
    rows: usize,
}

/// A column's cells that are not written yet. Those that are absent have only a level: 0.
struct Values {
    levels: Vec<i16>,
    present: Present,
}

enum Present {
    Texts(Vec<ByteArray>),
    /// Also times: microseconds since 1970.
    Wholes(Vec<i64>),
    Numbers(Vec<f64>),
    Flags(Vec<bool>),
}

impl Table {
    pub(super) fn new(columns: &[Column]) -> Result<Self> {
        let fields = columns.iter().map(field).collect::<Result<_>>()?;
        let schema = Type::group_type_builder("table").with_fields(fields);
        // Nobody looks for single rows of an export: without statistics its footer is small.
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_statistics_enabled(EnabledStatistics::None)
            .set_offset_index_disabled(true)
            .build();
        let schema = Arc::new(schema.build()?);
        Ok(Self {
            writer: SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties))?,
            columns: columns.iter().map(|it| Values::new(it.kind)).collect(),
            rows: 0,
        })
    }

    /// Keeps a row, one cell a column. True: there are enough for [`Table::write`].
    pub(super) fn push(&mut self, cells: Vec<Cell>) -> bool {
        for (values, cell) in self.columns.iter_mut().zip(cells) {
            values.push(cell);
        }
        self.rows += 1;
        self.rows >= GROUP
    }

    /// The rows kept, as the file's next bytes.
    pub(super) fn write(&mut self) -> Result<Vec<u8>> {
        if self.rows > 0 {
            let mut group = self.writer.next_row_group()?;
            for values in &mut self.columns {
                if let Some(column) = group.next_column()? {
                    values.write(column)?;
                }
            }
            group.close()?;
            self.rows = 0;
        }
        self.writer.flush()?;
        Ok(std::mem::take(self.writer.inner_mut()))
    }

    /// The rows kept and the footer: the file's last bytes.
    pub(super) fn end(mut self) -> Result<Vec<u8>> {
        let mut bytes = self.write()?;
        bytes.extend(self.writer.into_inner()?);
        Ok(bytes)
    }
}

impl Values {
    fn new(kind: Kind) -> Self {
        let present = match kind {
            Kind::Text => Present::Texts(Vec::new()),
            Kind::Whole | Kind::Time => Present::Wholes(Vec::new()),
            Kind::Number => Present::Numbers(Vec::new()),
            Kind::Flag => Present::Flags(Vec::new()),
        };
        Self {
            levels: Vec::new(),
            present,
        }
    }

    fn push(&mut self, cell: Cell) {
        match (&mut self.present, cell) {
            (Present::Texts(all), Cell::Text(text)) => all.push(text.into_bytes().into()),
            (Present::Wholes(all), Cell::Whole(number)) => all.push(number),
            (Present::Wholes(all), Cell::Time(time)) => all.push(time.timestamp_micros()),
            (Present::Numbers(all), Cell::Number(number)) => all.push(number),
            (Present::Flags(all), Cell::Flag(flag)) => all.push(flag),
            // Absent: a cell that is there is of its column's kind.
            _ => return self.levels.push(0),
        }
        self.levels.push(1);
    }

    fn write(&mut self, mut column: SerializedColumnWriter<'_>) -> Result<()> {
        let levels = Some(self.levels.as_slice());
        match &mut self.present {
            Present::Texts(all) => {
                let column = column.typed::<ByteArrayType>();
                column.write_batch(all, levels, None)?;
                all.clear();
            }
            Present::Wholes(all) => {
                let column = column.typed::<Int64Type>();
                column.write_batch(all, levels, None)?;
                all.clear();
            }
            Present::Numbers(all) => {
                let column = column.typed::<DoubleType>();
                column.write_batch(all, levels, None)?;
                all.clear();
            }
            Present::Flags(all) => {
                let column = column.typed::<BoolType>();
                column.write_batch(all, levels, None)?;
                all.clear();
            }
        }
        self.levels.clear();
        column.close()
    }
}

fn field(column: &Column) -> Result<TypePtr> {
    let (physical, logical) = match column.kind {
        Kind::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        Kind::Whole => (Physical::INT64, None),
        Kind::Number => (Physical::DOUBLE, None),
        Kind::Flag => (Physical::BOOLEAN, None),
        Kind::Time => (
            Physical::INT64,
            Some(LogicalType::timestamp(true, TimeUnit::MICROS)),
        ),
    };
    let field = Type::primitive_type_builder(&column.name, physical)
        .with_repetition(Repetition::OPTIONAL)
        .with_logical_type(logical);
    Ok(Arc::new(field.build()?))
}
