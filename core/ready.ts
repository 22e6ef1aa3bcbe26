/** A value or a promise of it. Callers await only promises, because each promise in a relay has a cost. */
export type Ready<Value> = Value | Promise<Value>
