import { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { notifyAdd } from './notify/add.ts'
import { notifyDeliveries } from './notify/deliveries.ts'
import { notifyList } from './notify/list.ts'
import { notifyRemove } from './notify/remove.ts'
import { notifyRetry } from './notify/retry.ts'
import { notifyTest } from './notify/test.ts'
import { notifyThreshold } from './notify/threshold.ts'
import { notifyUpdate } from './notify/update.ts'

export function notify(cli: Cli): Command {
  const verbs = [
    notifyList,
    notifyAdd,
    notifyUpdate,
    notifyRemove,
    notifyTest,
    notifyDeliveries,
    notifyRetry,
    notifyThreshold,
  ]
  return verbs.reduce((noun, verb) => noun.addCommand(verb(cli)), new Command('notify'))
}
