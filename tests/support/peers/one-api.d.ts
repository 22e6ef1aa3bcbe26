export function oneApiStatements(
  database: 'sqlite' | 'mysql' | 'postgres',
  size?: { users?: number; tokens?: number; logs?: number },
): string[]
