-- An analysis of source looks at some work-groups, which stand for the others.
ALTER TABLE readings
    DROP CONSTRAINT readings_scope_check,
    ADD CONSTRAINT readings_scope_check
        CHECK (scope IN ('full', 'first_and_last_group', 'sampled_groups', 'reduced_size')) NOT VALID;
