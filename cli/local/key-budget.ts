/** The relay's own calculation. */
export { budgetOfKey } from '../../server/relay/admission/key-budget.ts'
