-- What staff search orders by: the end-to-end id and the payee's account as JSON texts, which are NULL for a file and for a document that
-- cannot be read, and the interaction id of the request that made the order.
CREATE INDEX orders_by_end_to_end_id ON orders (
    CASE WHEN json_valid(instruction) THEN COALESCE(instruction -> '$.domestic.credit.end_to_end', instruction -> '$.international.payment.credit.end_to_end') END,
    created_at, id);
CREATE INDEX orders_by_creditor ON orders (
    CASE WHEN json_valid(instruction) THEN COALESCE(instruction -> '$.domestic.credit.creditor.number', instruction -> '$.international.payment.credit.creditor.number') END,
    created_at, id);
CREATE INDEX orders_by_cause ON orders (cause, created_at, id) WHERE cause IS NOT NULL;
