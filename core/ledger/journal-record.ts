import { recordOf } from '../records.ts'
import type { Settlement } from './batch.ts'

/** One record of the journal: charges that the process could not write to the database. */
interface ChargeRecord {
  version: 1
  /**
   * When the record was written, in Unix seconds. Settlements of Tollgate 0.1 have no time of their own, so they get
   * this time.
   */
  at: number
  settlements: readonly Settlement[]
}

export function toRecord(settlements: readonly Settlement[], at: number): ChargeRecord {
  return { version: 1, at, settlements }
}

/** Returns the settlements of a record. Throws if the record does not have the form of version 1. */
export function fromRecord(record: unknown, path: string): Settlement[] {
  if (!isChargeRecord(record)) {
    throw new Error(
      `The journal of charges ${path} has a record that this version cannot read: start the version that wrote it, or move the file away and settle its charges by hand`,
    )
  }
  return record.settlements.map((settlement) => ({ ...settlement, at: settlement.at ?? record.at, isJournaled: true }))
}

function isChargeRecord(record: unknown): record is ChargeRecord {
  const { version, at, settlements } = recordOf(record)
  return version === 1 && Number.isSafeInteger(at) && Array.isArray(settlements) && settlements.every(isSettlement)
}

/** Checks the ids and amounts that every settlement needs. Trusts the other fields. */
function isSettlement(value: unknown): value is Settlement {
  const { charge, nodeId, userShrink, tokenShrink, budgetTokenId } = recordOf(value)
  const { requestId, userId, quota } = recordOf(charge)
  return (
    typeof requestId === 'string' &&
    typeof nodeId === 'string' &&
    [userId, quota, userShrink, tokenShrink, budgetTokenId].every(isNonNegativeInteger)
  )
}

const isNonNegativeInteger = (value: unknown): boolean =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
