/**
 * English texts for the Chinese ones. Where one has a count, English may have another for a count of one: `keys_one` beside
 * `keys`. i18next finds it by itself.
 */
export type English<Chinese> = {
  [Key in keyof Chinese]: Chinese[Key] extends string ? string : English<Chinese[Key]>
} & { [one: `${string}_one`]: string }
