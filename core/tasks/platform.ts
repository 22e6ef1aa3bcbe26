/**
 * SQL condition for a platform. The concatenation keeps SQLite from using the index of this column, which would be slow, because
 * nearly all tasks have the same platform.
 */
export const PLATFORM_IS = "platform || '' = ?"
