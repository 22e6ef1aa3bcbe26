/** Re-exports the relay's own calculation of a key's budget. */
export { budgetOfKey } from '../../server/relay/admission/key-budget.ts'
