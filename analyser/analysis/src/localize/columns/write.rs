//! Columns, as text.

use super::{
    super::{
        Added, Length, Mechanism, fill, formula::Formulas, placement::Placement, refusal::Reason,
        words::Words, write::element, written::Written,
    },
    Columns, Rows,
    index::Leaf,
};

impl Placement for Columns {
    fn what(&self) -> (usize, Mechanism, u64) {
        (self.array, Mechanism::Columns, self.bytes)
    }

    fn extents(&self, formulas: &Formulas) -> Vec<i64> {
        vec![self.most_rows, formulas.local[0]]
    }

    fn is_dropped(&self) -> bool {
        !self.is_filled && !self.is_output
    }

    /// Each work-item brings in, and takes back, what is its own.
    fn write(&self, words: &Words<'_>, written: &mut Written) -> Result<(), Reason> {
        let (subject, formulas) = (words.subject, words.formulas);
        let array = &formulas.all.arrays[self.array];
        let name = written.name(subject, &format!("{}_columns", array.name));
        let of = element(subject, formulas, self.array)?;
        let items = formulas.local[0];
        let rows = match self.rows {
            Rows::Fixed(rows) => {
                let declared = format!("__local {of} {name}[{}];", rows * items);
                written.declared.push(declared);
                rows.to_string()
            }
            Rows::Counted(parameter, more) => {
                let mut length = vec![(items, vec![parameter])];
                if more != 0 {
                    length.push((items * more, Vec::new()));
                }
                written.added.push(Added {
                    name: name.clone(),
                    like: array.parameter.ok_or(Reason::Written)?,
                    element_bytes: array.element_bytes,
                    length: Length::Sum(length),
                    declared: format!("__local {of} *{name}"),
                });
                let counted = words.scalar(parameter)?;
                match more {
                    0 => counted,
                    1.. => format!("{counted} + {more}"),
                    _ => format!("{counted} - {}", -more),
                }
            }
        };
        let size = fill::size(words, 0);
        for (range, leaf) in &self.leaves {
            let text = match leaf {
                Leaf::Name => name.clone(),
                Leaf::Length => size.clone(),
                Leaf::Column => "get_local_id(0)".to_owned(),
            };
            written.replace(range.clone(), text);
        }
        for range in &self.pointers {
            written.replace(range.clone(), "__local");
        }
        let place = written.name(subject, "i");
        let head = format!("for (int {place} = 0; {place} < {rows}; ++{place})");
        let here = format!("{name}[{place} * {size} + get_local_id(0)]");
        let there = format!(
            "{}[{place} * get_global_size(0) + get_global_id(0)]",
            array.name
        );
        if self.is_filled {
            let copy = format!("{here} = {there};");
            let lines = fill::nested(vec![head.clone()], vec![copy]);
            written.begun_alone.extend(lines);
        }
        if self.is_output {
            let copy = format!("{there} = {here};");
            let lines = fill::nested(vec![head], vec![copy]);
            written.ended_alone.extend(lines);
        }
        Ok(())
    }
}
