/** Where those who build a page look first. Shoppers never see it, and nothing about them is said there. */
export const developerLog = {
  mistake: (text: string): void => console.warn(`Turnpike: ${text}`),
  error: (error: Error): void => console.error(error),
};
