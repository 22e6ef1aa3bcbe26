/** Path of the first screen after sign-in. */
export const FIRST_SCREEN = '/token'

/** Path of the page that guides new users, and operators of a new gateway, to the first request. */
export const FIRST_STEPS = '/start'
