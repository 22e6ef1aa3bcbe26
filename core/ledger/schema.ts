import { type Static, Type } from 'typebox'

const Quota = (description: string) => Type.Integer({ description })

/** The result of `verify`. */
export const VerificationSchema = Type.Object({
  equal: Type.Boolean(),
  users: Type.Integer(),
  quota: Quota('sum of all balances'),
  entries: Quota('sum of all entries'),
  charges: Quota('sum of all charges'),
  differences: Type.Array(
    Type.Object({
      user_id: Type.Integer(),
      username: Type.String(),
      quota: Quota('the balance'),
      expected: Quota('the balance according to the books'),
      held_quota: Quota("the held quota in the user's row"),
      expected_held: Quota("the sum of the processes' reserves"),
    }),
  ),
  rows: Type.Array(
    Type.Object({
      table: Type.String(),
      id: Type.String({ description: 'row id' }),
      what: Type.String({ description: 'the sum that differs, or the entry that is missing' }),
      found: Type.Integer(),
      expected: Type.Integer(),
      user_id: Type.Integer({ description: 'the owner of the row; 0 if it has none' }),
    }),
    { description: 'other rows with a wrong sum or without their entry; at most 100 of each kind' },
  ),
})
export type LedgerVerification = Static<typeof VerificationSchema>

/** A user whose balance differs from the books, or whose held quota differs from the sum of the processes' reserves. */
export type BalanceDifference = LedgerVerification['differences'][number]

/** A row whose value differs from its source rows. If a row of counts is missing, the id is its hour and model. */
export type RowDifference = LedgerVerification['rows'][number]
