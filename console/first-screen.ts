/** The first screen after sign-in. */
export const FIRST_SCREEN = '/token'

/** Page that leads a new user, or a new gateway, to the first request. */
export const FIRST_STEPS = '/start'
