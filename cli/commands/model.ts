import { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { modelList } from './model/list.ts'

export function model(cli: Cli): Command {
  return new Command('model').addCommand(modelList(cli))
}
