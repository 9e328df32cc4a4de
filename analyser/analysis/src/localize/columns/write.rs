//! Columns, as text.

use super::{Columns, Leaf, Rows};
use crate::localize::{Length, LocalArray, Mechanism, Memory, Placement, Proved, Reason, Renderer};

impl Proved for Columns {
    fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Renders the columns: each work-item copies its own elements in and back.
    fn render(self, renderer: &Renderer<'_>) -> Result<Placement, Reason> {
        let formulas = renderer.formulas;
        let array = &formulas.all.arrays[self.array];
        let element = renderer.element(self.array)?;
        let items = formulas.local[0];
        let (memory, rows) = match self.rows {
            Rows::Fixed(rows) => (Memory::Declared(rows * items), rows.to_string()),
            Rows::ArgumentPlus(parameter, more) => {
                let mut length = vec![(items, vec![parameter])];
                if more != 0 {
                    length.push((items * more, Vec::new()));
                }
                let argument = renderer.scalar(parameter)?;
                let rows = match more {
                    0 => argument,
                    1.. => format!("{argument} + {more}"),
                    _ => format!("{argument} - {}", -more),
                };
                (Memory::argument(array, Length::Sum(length))?, rows)
            }
        };
        let size = renderer.local_size(0);
        let is_dropped = !self.is_filled && !self.is_output;
        Ok(Placement {
            array: self.array,
            summary: LocalArray {
                extents: vec![self.most_rows, items],
                ..LocalArray::new(array, Mechanism::Columns, self.bytes)
            },
            dropped: renderer.dropped(self.array, is_dropped)?,
            write: {
                let array = array.name.clone();
                Box::new(move |subject, rewrite| {
                    let name = rewrite.name(subject, &format!("{array}_columns"));
                    memory.declare(&element, &name, rewrite);
                    for (range, leaf) in &self.text.leaves {
                        let text = match leaf {
                            Leaf::Name => name.clone(),
                            Leaf::Length => size.clone(),
                            Leaf::Column => "get_local_id(0)".to_owned(),
                        };
                        rewrite.replace(range.clone(), text);
                    }
                    for range in &self.text.pointers {
                        rewrite.replace(range.clone(), "__local");
                    }
                    let row = rewrite.name(subject, "i");
                    let head = format!("for (int {row} = 0; {row} < {rows}; ++{row})");
                    let local = format!("{name}[{row} * {size} + get_local_id(0)]");
                    let global = format!("{array}[{row} * get_global_size(0) + get_global_id(0)]");
                    if self.is_filled {
                        let lines = [head.clone(), format!("    {local} = {global};")];
                        rewrite.own_prologue.extend(lines);
                    }
                    if self.is_output {
                        let lines = [head, format!("    {global} = {local};")];
                        rewrite.own_epilogue.extend(lines);
                    }
                })
            },
        })
    }
}
