import type { Group } from '../../core/groups/schema.ts'
import type { Column } from '../output/column.ts'

const count = (of: number | undefined) => (of === undefined ? '-' : String(of))

export const GROUP_COLUMNS: readonly Column<Group>[] = [
  { title: 'name', value: ({ name }) => name, cut: true },
  { title: 'ratio', value: ({ ratio }) => String(ratio), align: 'right' },
  { title: 'description', value: ({ desc }) => desc || '-', cut: true },
  { title: 'usable', value: ({ selectable }, { text }) => text(selectable ? 'everybody' : 'members') },
  { title: 'users', value: ({ users }) => count(users), align: 'right' },
  { title: 'tokens', value: ({ tokens }) => count(tokens), align: 'right' },
  { title: 'channels', value: ({ channels }) => count(channels), align: 'right' },
]
