/** What the relay itself would say about a key. */
export { budgetOfKey } from '../../server/relay/admission/key-budget.ts'
