/** Which part of a list is asked for. */
export interface ListPage {
  /** From 1. */
  page: number
  pageSize: number
}
