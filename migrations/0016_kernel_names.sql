-- Two kernels have names that tell them apart: a work-item of 'matmul_float' makes one float of the product, one
-- of 'matmul_float4' a block of 4 × 4, of float4. What was measured and judged under the old names has the new
-- ones too. (What agents said of their runs, and sources, stay as they were sent.)
DO $$
DECLARE
    renamed record;
    old_id integer;
    new_id integer;
BEGIN
    FOR renamed IN
        SELECT * FROM (VALUES ('matrix_mul', 'matmul_float'), ('matrix_multiplication', 'matmul_float4'))
            AS names (old, new)
    LOOP
        SELECT id INTO old_id FROM kernels WHERE name = renamed.old;
        CONTINUE WHEN old_id IS NULL;

        SELECT id INTO new_id FROM kernels WHERE name = renamed.new;
        IF new_id IS NULL THEN
            UPDATE kernels SET name = renamed.new WHERE id = old_id;
        ELSE
            -- A newer agent has uploaded before this server was upgraded: both are one kernel, and so are their
            -- workloads of the same variant and sizes.
            UPDATE samples SET workload_id = same.id
            FROM workloads AS it
            JOIN workloads AS same USING (variant, parameters)
            WHERE samples.workload_id = it.id AND it.kernel_id = old_id AND same.kernel_id = new_id;

            DELETE FROM workloads AS it USING workloads AS same
            WHERE it.kernel_id = old_id AND same.kernel_id = new_id
                AND it.variant = same.variant AND it.parameters = same.parameters;

            UPDATE workloads SET kernel_id = new_id WHERE kernel_id = old_id;
            UPDATE kernels SET family = coalesce(kernels.family, old.family)
            FROM kernels AS old WHERE kernels.id = new_id AND old.id = old_id;
            DELETE FROM kernels WHERE id = old_id;
        END IF;

        -- A model that was fitted to both as two kernels was judged on two, and says so for ever.
        UPDATE hold_out_errors AS it SET kernel = renamed.new
        WHERE kernel = renamed.old AND NOT EXISTS (
            SELECT FROM hold_out_errors AS other
            WHERE other.model_id = it.model_id AND other.key = it.key AND other.kernel = renamed.new
        );
    END LOOP;
END
$$;
