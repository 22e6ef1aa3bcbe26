/** The screen that opens when somebody has signed in. */
export const FIRST_SCREEN = '/token'
