/** Returns the address of a database without its password, for messages. */
export const withoutPassword = (address: string): string =>
  address
    .replace(/^([^@]*?:\/\/[^:@/]*):.*@/, '$1:***@')
    .replace(/^([^:@/]+):.*@tcp\(/, '$1:***@tcp(')
    .replace(/([?&](?:ssl)?password=)[^&]*/gi, '$1***')
