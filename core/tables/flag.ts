/** The value of a boolean column. SQLite returns 0 or 1, PostgreSQL a boolean. */
export type Flag = boolean | number
