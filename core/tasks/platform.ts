/** A condition on the platform that hides the column: nearly all tasks have the same, and SQLite would go by its index. */
export const PLATFORM_IS = "platform || '' = ?"
