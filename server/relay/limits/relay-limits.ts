import type { DialectName } from '../../../core/channels/routing/operations.ts'
import type { Hold } from '../../../core/ledger/charge.ts'
import type { LimitUse } from '../../../core/limits/acquire.ts'
import type { ApplicableLimits } from '../../../core/limits/applicable.ts'
import type { Counter } from '../../../core/limits/counter.ts'
import type { Ready } from '../../../core/ready.ts'
import type { LocalToolkit } from '../../../core/toolkit.ts'
import type { HeaderList } from '../../header-list.ts'
import type { Admitted } from '../admission/admission.ts'
import type { RelayWant } from '../charging/output.ts'
import type { Interruption } from '../delivery/interruption.ts'
import { limitHeaders } from './limit-headers.ts'
import { limitUse, takeLimits } from './take-limits.ts'

/** The caller's limits in one relay. Created only if any limit is set. */
export class RelayLimits {
  /** The amounts that the relay takes. */
  readonly use: LimitUse
  private counters: readonly Counter[] = []

  constructor(
    private readonly toolkit: Pick<LocalToolkit, 'liveLimits' | 'ledger'>,
    private readonly admitted: Admitted,
    want: RelayWant,
  ) {
    this.use = limitUse(admitted, want)
  }

  /** Takes from the limits of the caller. Throws LIMIT_REACHED, or rejects with it. */
  take(
    applicable: ApplicableLimits,
    { hold, address, interruption }: { hold: Hold; address: string; interruption: Interruption },
  ): Ready<void> {
    if (!applicable.hasCallerLimits) return undefined
    const { caller, group, model } = this.admitted
    // Pass single properties: a spread of `caller` would cost more than all other steps of this method.
    this.counters = applicable.countersOfCaller({ token: caller.token, user: caller.user, group, model, address })
    if (this.counters.length === 0) return undefined
    return takeLimits(this.toolkit, this.counters, { hold, use: this.use, queued: interruption })
  }

  /** Returns headers with the remaining amounts of the caller's limits, or undefined if the caller has no limits. */
  headersFor(dialect: DialectName): HeaderList | undefined {
    if (this.counters.length === 0) return undefined
    return limitHeaders(this.counters, { dialect, clock: this.toolkit.liveLimits })
  }
}
