//! From a point to a recipe.

use super::{
    number::{Number, Stored, operations},
    point::{Axis, Point, whole},
    recipe::{Atomic, AtomicKind, Local, Path, Private, Recipe, Storing, Uneven},
    theme::Theme,
};

impl Recipe {
    /// What the point says.
    pub(super) fn new(theme: Theme, point: Point) -> Self {
        let number = match theme {
            Theme::Chase => Number::Uint,
            _ => point.pick(
                Axis::Number,
                &[
                    Number::Float,
                    Number::Float,
                    Number::Uint,
                    Number::Uint,
                    Number::Double,
                    Number::Ulong,
                ],
            ),
        };
        let all = operations(number);
        let mut recipe = Self {
            theme,
            group: point.pick(
                Axis::Group,
                &[32, 64, 64, 96, 128, 128, 192, 256, 256, 256, 384, 512, 1024],
            ),
            number,
            stored: point.pick(
                Axis::Stored,
                &[
                    Stored::Plain,
                    Stored::Plain,
                    Stored::Plain,
                    Stored::Narrow,
                    Stored::Vector,
                ],
            ),
            path: point.pick(
                Axis::Path,
                &[Path::Start, Path::Side, Path::Side, Path::Anywhere],
            ),
            at_once: 1,
            restrict: point.at(Axis::Aliases) < 0.4,
            operation: point.pick(Axis::Operation, &all),
            other: point.pick(Axis::Other, &all),
            times: point.power(Axis::Times, 0, 3),
            chains: point.pick(Axis::Chains, &[1, 1, 2, 4]),
            uneven: None,
            private: None,
            local: None,
            atomic: None,
            storing: None,
        };
        recipe.follow(theme, point);
        recipe.add_extra(point);
        recipe.settle();
        recipe
    }

    /// The block that the theme is about.
    fn follow(&mut self, theme: Theme, point: Point) {
        let at_once = point.pick(Axis::AtOnce, &[1, 1, 2, 4]);
        let apart = point.power(Axis::Apart, 0, 5);
        let touches = point.power(Axis::Touches, 0, 4);
        let words = point.power(Axis::Words, 6, 12);
        match theme {
            Theme::Stream => {
                self.path = Path::Side;
                self.at_once = at_once;
                self.storing = point.pick(
                    Axis::Storing,
                    &[
                        None,
                        None,
                        Some(Storing::Side { kept: 8 }),
                        Some(Storing::Row { kept: 8 }),
                    ],
                );
            }
            Theme::Stride => {
                self.path = Path::Apart(2 * apart);
                self.at_once = at_once;
            }
            Theme::Gather => {
                self.path = Path::Places;
                self.at_once = at_once;
            }
            Theme::RandomReads => {
                self.path = Path::Anywhere;
                self.at_once = at_once;
            }
            Theme::LoadsInFlight => {
                self.path = point.pick(
                    Axis::Path,
                    &[Path::Side, Path::Anywhere, Path::Apart(8), Path::Row],
                );
                self.at_once = point.pick(Axis::AtOnce, &[2, 4, 8, 16]);
                self.times = 1;
            }
            Theme::Chase => {
                self.path = Path::Next;
                self.at_once = at_once;
                self.times = point.pick(Axis::Times, &[1, 1, 2, 4]);
            }
            Theme::Table => {
                self.path = Path::Same;
                self.at_once = at_once;
            }
            Theme::Neighbours => {
                self.path = Path::Neighbours(point.pick(Axis::Apart, &[1, 1, 64, 1024]));
                self.at_once = point.pick(Axis::AtOnce, &[3, 5, 9]);
                self.times = point.pick(Axis::Times, &[1, 1, 2]);
            }
            Theme::Rows | Theme::Columns => {
                self.path = if theme == Theme::Rows {
                    Path::Row
                } else {
                    Path::Column
                };
                self.at_once = point.pick(Axis::AtOnce, &[1, 1, 2, 4, 8]);
                self.times = point.pick(Axis::Times, &[1, 1, 1, 2, 8]);
                self.storing = point.pick(Axis::Storing, &[None, None, Some(Storing::Line)]);
            }
            Theme::InPlace => {
                let carried = point.pick(Axis::Chains, &[false, true]);
                self.path = point.pick(
                    Axis::Path,
                    &[
                        Path::RowInPlace { carried },
                        Path::ColumnInPlace { carried },
                    ],
                );
                self.at_once = point.pick(Axis::AtOnce, &[1, 1, 1, 4]);
                self.times = point.pick(Axis::Times, &[1, 1, 1, 4]);
            }
            Theme::Arithmetic | Theme::Mix => {
                self.path = Path::Start;
                self.times = point.power(Axis::Times, 2, 6);
                self.chains = point.pick(Axis::Chains, &[1, 1, 2, 4, 8]);
            }
            Theme::PrivateArray => {
                self.private = Some(Private {
                    length: point.power(Axis::Words, 4, 8),
                    touches,
                    alike: point.pick(Axis::Spread, &[false, true]),
                });
            }
            Theme::LocalReads => {
                self.local = Some(Local::Reads {
                    words,
                    apart,
                    touches: 2 * touches,
                });
            }
            Theme::LocalChase => {
                self.local = Some(Local::Chase {
                    words,
                    touches: 2 * touches,
                })
            }
            Theme::LocalArray => {
                self.group = point.pick(Axis::Group, &[32, 32, 64, 64, 128]);
                self.local = Some(Local::Own {
                    length: point.power(Axis::Words, 2, 5),
                    touches,
                    together: point.pick(Axis::Spread, &[false, true]),
                });
            }
            Theme::Exchange => {
                self.local = Some(Local::Exchange {
                    reach: point.pick(Axis::Apart, &[1, 7, 16, 31]),
                    touches,
                });
            }
            Theme::Reduce => self.local = Some(Local::Sum),
            Theme::Scan => self.local = Some(Local::Prefix),
            Theme::LocalCounts => {
                self.local = Some(Local::Counts {
                    bins: point.power(Axis::Words, 0, 10),
                    touches,
                });
            }
            Theme::AtomicsFew => {
                self.atomic = Some(Atomic {
                    kind: point.pick(
                        Axis::Atomic,
                        &[
                            AtomicKind::Add,
                            AtomicKind::Max,
                            AtomicKind::Xor,
                            AtomicKind::AddAndWait,
                            AtomicKind::AddAndWait,
                        ],
                    ),
                    few: Some(point.pick(Axis::Addresses, &[1, 1, 2, 8, 32])),
                });
            }
            Theme::AtomicsMany => {
                self.atomic = Some(Atomic {
                    kind: point.pick(
                        Axis::Atomic,
                        &[
                            AtomicKind::Add,
                            AtomicKind::Max,
                            AtomicKind::AddAndWait,
                            AtomicKind::AddAndWait,
                            AtomicKind::CompareExchange,
                        ],
                    ),
                    few: None,
                });
            }
            Theme::Branches => {
                let ways = point.power(Axis::Ways, 1, 5);
                self.times = point.power(Axis::Times, 1, 5);
                self.uneven = Some(point.pick(
                    Axis::Uneven,
                    &[
                        Uneven::ByNumber,
                        Uneven::ByTurns(ways),
                        Uneven::Times(ways),
                        Uneven::OneOf(2 * ways),
                        Uneven::Steps,
                    ],
                ));
            }
            Theme::StoresFew => {
                self.storing = Some(Storing::Few(point.pick(Axis::Addresses, &[1, 1, 2, 8, 64])));
            }
            Theme::StoresScattered => self.storing = Some(Storing::Scattered),
        }
    }

    /// Every second kernel has a block of another theme too.
    fn add_extra(&mut self, point: Point) {
        let touches = point.power(Axis::Touches, 0, 2);
        match whole(12.0 * point.at(Axis::Extra)) {
            0 => {
                let length = point.power(Axis::Words, 4, 6);
                self.private.get_or_insert(Private {
                    length,
                    touches,
                    alike: false,
                });
            }
            1 => {
                let words = point.power(Axis::Words, 8, 12);
                let apart = point.pick(Axis::Apart, &[1, 1, 2, 8]);
                self.local.get_or_insert(Local::Reads {
                    words,
                    apart,
                    touches,
                });
            }
            2 => {
                let exchange = Local::Exchange { reach: 1, touches };
                self.local.get_or_insert(exchange);
            }
            3 => {
                let kind = point.pick(Axis::Atomic, &[AtomicKind::Add, AtomicKind::AddAndWait]);
                self.atomic.get_or_insert(Atomic { kind, few: None });
            }
            4 => {
                let ways = point.power(Axis::Ways, 1, 5);
                let uneven = point.pick(
                    Axis::Uneven,
                    &[Uneven::ByNumber, Uneven::Times(ways), Uneven::OneOf(ways)],
                );
                self.uneven.get_or_insert(uneven);
            }
            5 => {
                self.storing.get_or_insert(Storing::Side { kept: 4 });
            }
            _ => {}
        }
    }

    /// Takes back what does not go together.
    fn settle(&mut self) {
        let line = self.path.line();
        if self.path.is_in_place() {
            // What is changed is both read and written, by one pointer.
            self.stored = Stored::Plain;
            self.chains = 1;
            self.restrict = false;
            self.storing = None;
            self.uneven = None;
        }
        if self.path == Path::Next {
            self.stored = Stored::Plain;
        }
        if line.is_some()
            && matches!(
                self.storing,
                Some(Storing::Side { .. } | Storing::Row { .. })
            )
        {
            self.storing = Some(Storing::Line);
            self.restrict = false;
        }
        // Where work-items take unlike numbers of steps none may wait for the others.
        let waits = matches!(
            self.local,
            Some(Local::Exchange { .. } | Local::Sum | Local::Prefix)
        );
        if self.uneven == Some(Uneven::Steps) && (waits || line.is_some() || self.storing.is_some())
        {
            self.uneven = Some(Uneven::ByNumber);
        }
        // Halving needs a power of two.
        if self.local == Some(Local::Sum) {
            self.group = self.group.next_power_of_two();
        }
        // Where a group fills a small array at once, compilers compute its places with as few bits as they
        // have, which Oclgrind 21.10 gets wrong.
        if let Some(Local::Chase { words, .. }) = &mut self.local {
            *words = (*words).max(2 * self.group.next_power_of_two());
        }
        // Of slow operations fewer.
        while self.times > 4 && f64::from(self.times) * self.operation.wait > 1500.0 {
            self.times /= 2;
        }
    }
}
