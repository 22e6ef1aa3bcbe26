import { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { importFrom } from './import/from.ts'
import { importList } from './import/list.ts'
import { importLitellm } from './import/litellm.ts'
import { importUndo } from './import/undo.ts'

export function importNoun(cli: Cli): Command {
  return new Command('import')
    .addCommand(importFrom(cli, 'new-api'))
    .addCommand(importFrom(cli, 'one-api'))
    .addCommand(importLitellm(cli))
    .addCommand(importList(cli))
    .addCommand(importUndo(cli))
}
