export const NEW_API_TABLES: Record<string, string>
export const ONE_API_TABLES: Record<string, string>
export function createStatements(tables: Record<string, string>, database?: 'sqlite' | 'mysql' | 'postgres'): string[]
