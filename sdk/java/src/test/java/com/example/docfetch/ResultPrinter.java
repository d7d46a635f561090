package com.example.docfetch;

import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/** Prints a line for each test, which `npm run sdk:test` counts; Surefire prints one for each class. */
public final class ResultPrinter implements TestExecutionListener {
  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    boolean isFailure = result.getStatus() != TestExecutionResult.Status.SUCCESSFUL;
    if (test.isTest() || isFailure) {
      System.out.println("--- " + (isFailure ? "FAILED: " : "PASSED: ") + test.getDisplayName());
    }
  }

  @Override
  public void executionSkipped(TestIdentifier test, String reason) {
    System.out.println("--- SKIPPED: " + test.getDisplayName());
  }
}
