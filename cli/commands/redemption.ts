import { GatewayError } from '../../core/errors.ts'
import type { Redemption } from '../../core/redemption/schema.ts'
import { REDEMPTION_STATUS } from '../../core/redemption/status.ts'
import { positiveInt, positiveInts } from '../input/arguments.ts'
import { numberOf } from '../input/enum-labels.ts'
import { bulkVerb, type Gateway, noun, pagedVerb, showVerb } from '../run/verbs.ts'
import { redemptionCreate } from './redemption/create.ts'
import { redemptionDelete } from './redemption/delete.ts'
import { redemptionExport } from './redemption/export.ts'
import { redemptionUpdate } from './redemption/update.ts'

interface ListOptions {
  search?: string
  status?: string
  name?: string
}

const IDS = ['<id...>', 'numbers of the codes', positiveInts] as const
const columns = async () => (await import('../columns/redemption.ts')).REDEMPTION_COLUMNS

export const redemption = noun('redemption', [
  redemptionCreate,
  pagedVerb({
    name: 'list',
    description: 'List redemption codes, newest first',
    examples: ['tollgate redemption list --status unused', 'tollgate redemption list --search spring --all --json'],
    syntax: (command) =>
      command
        .option('--search <text>', 'only names that start with this, or the code of this number')
        .option('--name <text>', 'only codes of exactly this name')
        .option('--status <word>', 'unused, disabled or used'),
    columns,
    pages({ toolkit, actor }, { search, status, name }: ListOptions) {
      const filter = {
        ...(search !== undefined && { keyword: search }),
        ...(name !== undefined && { name }),
        ...(status !== undefined && { status: numberOf(REDEMPTION_STATUS, '--status', status) }),
      }
      return (paging) => toolkit.redemption.list(actor, { ...filter, ...paging })
    },
    empty: ({ say }) => say`No codes. Make some with: tollgate redemption create --quota 500000 --count 10`,
  }),
  showVerb({
    name: 'get',
    description: 'Show one redemption code',
    examples: ['tollgate redemption get 1'],
    syntax: (command) => command.argument('<id>', 'number of the code', positiveInt),
    columns,
    record: ({ toolkit, actor }, id: number) => toolkit.redemption.get(actor, id),
  }),
  redemptionUpdate,
  bulkVerb({
    name: 'enable',
    description: 'Let disabled redemption codes be redeemed again',
    examples: ['tollgate redemption enable 1'],
    argument: IDS,
    check: editableCode,
    act: ({ toolkit, actor }, { id }) => toolkit.redemption.setStatus(actor, id, REDEMPTION_STATUS.unused),
    done: ({ say }, { id, name }) => say`Code ${id}, ${name}, can be redeemed.`,
  }),
  bulkVerb({
    name: 'disable',
    description: 'Refuse unused redemption codes until they are enabled again',
    examples: ['tollgate redemption disable 1'],
    argument: IDS,
    check: editableCode,
    act: ({ toolkit, actor }, { id }) => toolkit.redemption.setStatus(actor, id, REDEMPTION_STATUS.disabled),
    done: ({ say }, { id, name }) => say`Code ${id}, ${name}, is disabled.`,
  }),
  redemptionDelete,
  redemptionExport,
])

async function editableCode({ toolkit, actor }: Gateway, id: number): Promise<Redemption> {
  const code = await toolkit.redemption.get(actor, id)
  if (code.status === REDEMPTION_STATUS.used) throw new GatewayError('REDEMPTION_NOT_EDITABLE', { id })
  return code
}
