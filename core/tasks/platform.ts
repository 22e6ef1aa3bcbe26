/**
 * SQL condition for a platform. The concatenation keeps SQLite from using the index of this column. Nearly all tasks
 * have the same platform, so the index would be slow.
 */
export const PLATFORM_IS = "platform || '' = ?"
