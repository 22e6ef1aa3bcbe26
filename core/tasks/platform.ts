/** A condition on the platform as an expression, so that SQLite does not use its index: nearly all tasks have the same platform. */
export const PLATFORM_IS = "platform || '' = ?"
