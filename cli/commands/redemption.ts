import { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { redemptionCreate } from './redemption/create.ts'
import { redemptionDelete } from './redemption/delete.ts'
import { redemptionDisable } from './redemption/disable.ts'
import { redemptionEnable } from './redemption/enable.ts'
import { redemptionExport } from './redemption/export.ts'
import { redemptionGet } from './redemption/get.ts'
import { redemptionList } from './redemption/list.ts'
import { redemptionUpdate } from './redemption/update.ts'

export function redemption(cli: Cli): Command {
  const verbs = [
    redemptionCreate,
    redemptionList,
    redemptionGet,
    redemptionUpdate,
    redemptionEnable,
    redemptionDisable,
    redemptionDelete,
    redemptionExport,
  ]
  return verbs.reduce((noun, verb) => noun.addCommand(verb(cli)), new Command('redemption'))
}
