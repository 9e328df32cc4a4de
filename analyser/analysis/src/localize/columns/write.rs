//! Columns, as text.

use super::{Columns, Leaf, Rows};
use crate::localize::{
    Edit, Length, LocalArray, Mechanism, Memory, NAME, PLACE, Placement, Proved, Reason, Renderer,
    sum_text,
};

impl Proved for Columns {
    fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Renders the columns: each work-item copies its own elements in and back.
    fn render(self, renderer: &Renderer<'_>) -> Result<Placement, Reason> {
        let formulas = renderer.formulas;
        let argument = &formulas.all.arrays[self.array];
        let element = renderer.element(self.array)?;
        let items = formulas.local[0];
        let (memory, rows) = match self.rows {
            Rows::Fixed(rows) => {
                let memory = Memory::Declared(vec![rows * items], false);
                (memory, rows.to_string())
            }
            Rows::ArgumentPlus(parameter, more) => {
                let mut length = vec![(items, vec![parameter])];
                if more != 0 {
                    length.push((items * more, Vec::new()));
                }
                let rows = sum_text(&renderer.scalar(parameter)?, "0", more);
                (Memory::argument(argument, Length::Sum(length))?, rows)
            }
        };
        let size = renderer.local_size(0);
        let leaves = self.text.leaves.into_iter().map(|(range, leaf)| {
            let text = match leaf {
                Leaf::Name => NAME,
                Leaf::Length => &size,
                Leaf::Column => "get_local_id(0)",
            };
            Edit::replace(range, text)
        });
        let pointers = self.text.pointers.into_iter();
        let pointers = pointers.map(|it| Edit::replace(it, "__local"));
        let edits = leaves.chain(pointers).collect();
        let name = &argument.name;
        let [prologue, epilogue] = self.contents.copies(
            &format!("for (int {PLACE} = 0; {PLACE} < {rows}; ++{PLACE})"),
            &format!("{NAME}[{PLACE} * {size} + get_local_id(0)]"),
            &format!("{name}[{PLACE} * get_global_size(0) + get_global_id(0)]"),
        );
        Ok(Placement {
            array: self.array,
            summary: LocalArray {
                extents: vec![self.most_rows, items],
                ..LocalArray::new(argument, Mechanism::Columns, self.bytes)
            },
            dropped: self.contents.dropped(renderer.subject, argument)?,
            name: format!("{name}_columns"),
            element,
            memory,
            edits,
            prologue,
            epilogue,
        })
    }
}
