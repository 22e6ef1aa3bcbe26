import type { form as zh } from '../zh/form.ts'

export const form: typeof zh = {
  equals: '≈ {{amount}}',
  rangeStart: 'From',
  rangeEnd: 'To',
  showPassword: 'Show password',
  options: 'Options',
  submittedTwice: 'Not submitted: please do not submit twice!',
  leave: 'There are unsaved changes',
  leaveHint: 'They are lost when you leave.',
  leaveAnyway: 'Leave without saving',
  stay: 'Keep editing',
}
