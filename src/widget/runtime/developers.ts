/** Messages for developers in the console. They contain no data about shoppers. */
export const developerLog = {
  mistake: (text: string): void => console.warn(`Turnpike: ${text}`),
  error: (error: Error): void => console.error(error),
};
