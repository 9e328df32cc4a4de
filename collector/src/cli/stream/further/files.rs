//! What is read.

use std::path::{Path, absolute};

use kerncast_collector::UsageError;
use kerncast_primitives::Npy;

use crate::cli::stream::{Arguments, open};

/// Of one primitive.
pub(super) struct Files {
    pub(super) input: Npy,
    /// The index, keys, the other sorted file, or offsets; of what has none, none.
    pub(super) other: Option<Npy>,
    /// Of keys that are looked up.
    pub(super) values: Option<Npy>,
}

impl Files {
    /// Opens what is to be read, and says all that is wrong with any of the files.
    pub(super) fn open(all: &Arguments) -> Result<Self, UsageError> {
        let its = &all.further;
        let others = [
            ("--index", &all.index, false),
            ("--keys", &its.keys, its.values.is_some()),
            ("--with", &its.with, true),
            ("--sorted", &its.sorted, true),
            ("--offsets", &its.offsets, false),
        ];
        let named = others
            .into_iter()
            .find_map(|(name, path, is_compared)| Some((name, path.as_ref()?, is_compared)));
        let (input, other) = (open(&all.input), named.map(|it| open(it.1)).transpose());
        let values = its.values.as_deref().map(open).transpose();
        let outputs = [("OUT", &all.output), ("--keys-out", &its.keys_out)];
        let taken = outputs.into_iter().filter_map(|(name, path)| {
            let path: &Path = path.as_deref().filter(|it| it.exists())?;
            let path = path.display();
            Some(format!(
                "{name} {path} is there already; expected a new file"
            ))
        });
        let mut wrong: Vec<String> = taken.collect();
        let [out, keys_out] = [&all.output, &its.keys_out].map(|it| it.as_deref().map(absolute));
        if let (Some(Ok(out)), Some(Ok(keys_out))) = (out, keys_out)
            && out == keys_out
        {
            wrong.push("--keys-out is OUT; expected another file".to_owned());
        }
        if let (Ok(input), Ok(Some(other))) = (&input, &other)
            && let Some((name, path, true)) = named
            && input.element() != other.element()
        {
            let [found, expected] = [other, input].map(|it| it.element().name());
            let (path, input) = (path.display(), all.input.display());
            wrong.push(format!(
                "{name} {path}: elements of {found}; expected {expected}, as {input} has"
            ));
        }
        match (input, other, values, wrong.is_empty()) {
            (Ok(input), Ok(other), Ok(values), true) => Ok(Self {
                input,
                other,
                values,
            }),
            (input, other, values, _) => {
                let unread = [input.err(), other.err(), values.err()]
                    .into_iter()
                    .flatten();
                let all: Vec<String> = unread.chain(wrong).collect();
                Err(UsageError(all.join("\n")))
            }
        }
    }

    /// Which was asked for with the arguments.
    pub(super) fn other(&self) -> &Npy {
        self.other.as_ref().expect("checked with the arguments")
    }
}
