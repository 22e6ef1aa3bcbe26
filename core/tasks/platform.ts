/**
 * A condition on the platform. It is an expression, so that SQLite does not use the index: nearly all tasks have one platform.
 */
export const PLATFORM_IS = "platform || '' = ?"
