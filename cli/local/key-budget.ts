/** Exports the calculation that the relay itself uses. */
export { budgetOfKey } from '../../server/relay/admission/key-budget.ts'
