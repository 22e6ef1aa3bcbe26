import { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { walletBalance } from './wallet/balance.ts'
import { walletCallbacks } from './wallet/callbacks.ts'
import { walletOrders } from './wallet/orders.ts'
import { walletRedeem } from './wallet/redeem.ts'
import { walletReplay } from './wallet/replay.ts'
import { walletTopUp } from './wallet/top-up.ts'
import { walletTransfer } from './wallet/transfer.ts'

export function wallet(cli: Cli): Command {
  const verbs = [walletBalance, walletRedeem, walletTopUp, walletTransfer, walletOrders, walletCallbacks, walletReplay]
  return verbs.reduce((noun, verb) => noun.addCommand(verb(cli)), new Command('wallet'))
}
