export const REDEMPTION_STATUS = { unused: 1, disabled: 2, used: 3 } as const
