/**
 * A condition on the platform. The concatenation keeps SQLite from using the index, because nearly all tasks have the same
 * platform.
 */
export const PLATFORM_IS = "platform || '' = ?"
