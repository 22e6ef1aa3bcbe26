import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'
import { onBoth } from '../../support/toolkit.ts'

const FOLDER = join(import.meta.dirname, '../../../core/tables')

/** As much of ESTree as is read here. */
interface Node {
  type: string
  key?: { name?: string; value?: string }
  typeAnnotation?: Node
  members?: Node[]
  id?: { name: string }
  body?: Node | Node[]
  indexType?: { literal?: { value?: string } }
  types?: Node[]
  typeName?: { name: string }
}

/** Every column that `core/tables/` declares, as `table.column: type`. */
function declaredColumns(): string[] {
  const programs = readdirSync(FOLDER).map((file) => parseSync(file, readFileSync(join(FOLDER, file), 'utf8')).program)
  const membersOf = (name: string) => programs.flatMap((program) => membersIn(program as unknown as Node, name))
  const rows = new Map(membersOf('Rows').map((row) => [nameOf(row), row.typeAnnotation?.typeAnnotation]))
  return membersOf('Tables').flatMap((table) => {
    const type = table.typeAnnotation?.typeAnnotation
    // `tokens: Rows['tokens']`
    const row = type?.indexType ? rows.get(type.indexType.literal?.value ?? '') : type
    return (row?.members ?? []).map(
      (column) => `${nameOf(table)}.${nameOf(column)}: ${typeOf(column.typeAnnotation?.typeAnnotation)}`,
    )
  })
}

/** Members of the interfaces with that name. */
function membersIn(node: Node, name: string): Node[] {
  if (node.type === 'TSInterfaceDeclaration' && node.id?.name === name)
    return [[node.body].flat()[0]?.body ?? []].flat()
  return Object.values(node)
    .flat()
    .filter((child): child is Node => typeof child === 'object' && child !== null && 'type' in child)
    .flatMap((child) => membersIn(child, name))
}

const nameOf = ({ key }: Node) => key?.name ?? key?.value ?? ''

/** Types of texts: a union of literals, and JSON of a known shape. */
const TEXTS = ['CellKind', 'JsonText']

/** The type's kind; literals are texts. */
function typeOf(type: Node | undefined): string {
  if (type?.type === 'TSUnionType') return [...new Set((type.types ?? []).map(typeOf))].join(' | ')
  if (type?.type === 'TSLiteralType') return 'string'
  if (type?.type === 'TSTypeReference') {
    const name = type.typeName?.name ?? ''
    return TEXTS.includes(name) ? 'string' : name
  }
  return (type?.type ?? '').replace(/^TS(\w+?)(Keyword)?$/, '$1').toLowerCase()
}

function declaredType(sql: string): string {
  if (/bool/i.test(sql)) return 'Flag'
  if (/blob|bytea/i.test(sql)) return 'Buffer'
  return /int|real|float|double|numeric|decimal|serial/i.test(sql) ? 'number' : 'string'
}

const isTable = (name: string) => !name.startsWith('sqlite_') && !/^logs_/.test(name)

onBoth('the declared rows of tables', (open) => {
  test('are those of a migrated database', async () => {
    const { toolkit } = await open()
    const { reader, kind } = toolkit.db
    const columns =
      kind === 'sqlite'
        ? await reader.raw(`
            SELECT tables.name AS "table", columns.name, columns.type, columns."notnull" OR columns.pk AS required
            FROM sqlite_master AS tables, pragma_table_info(tables.name) AS columns WHERE tables.type = 'table'`)
        : (
            await reader.raw(`
              SELECT table_name AS "table", column_name AS name, data_type AS type, is_nullable = 'NO' AS required
              FROM information_schema.columns WHERE table_schema = current_schema()`)
          ).rows
    const stored = (columns as { table: string; name: string; type: string; required: boolean | number }[])
      .filter(({ table }) => isTable(table))
      .map(({ table, name, type, required }) => `${table}.${name}: ${declaredType(type)}${required ? '' : ' | null'}`)

    expect(declaredColumns().sort()).toEqual(stored.sort())
  })
})
