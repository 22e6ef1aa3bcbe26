import type { audit as zh } from '../zh/audit.ts'

export const audit: typeof zh = {
  time: 'Time',
  actor: 'Actor',
  actorId: 'Actor ID',
  address: 'Address',
  action: 'Action',
  object: 'Object',
  fields: 'Fields',
  field: 'Field',
  before: 'Before',
  after: 'After',
  noFields: 'This action has no fields',
  older: 'Older actions',
  none: 'No actions of administrators yet',
  noneHint: 'What administrators change of users, channels, options and the like is listed here. It cannot be deleted.',
  filter: { actor: 'Actor', action: 'Action (user.create)', object: 'Object (channel:7)' },
  range: { day: 'Last day', week: 'Last 7 days', month: 'Last 30 days' },
}
